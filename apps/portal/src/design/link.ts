/** Classes of a link in text. */
export const LINK = 'font-medium text-accent underline underline-offset-2 hover:text-accent-hover';
