import { TextlintKernel } from '@textlint/kernel';
import type { TextlintRuleContext, TextlintRuleReporter } from '@textlint/types';
import markdownPlugin from '@textlint/textlint-plugin-markdown';
import { sentencesOf, suspectsIn } from './sentence-rules';

export interface Finding {
  line: number;
  message: string;
  sentence: string;
}

interface TextNode {
  type: string;
  value?: string;
  children?: readonly TextNode[];
}

/** A capital, so that a sentence can begin with it. */
const CODE = 'Code';

/** The words of a paragraph. Code and links to files become one word, because they are names, not prose. */
function wordsOf(node: TextNode): string {
  if (node.type === 'Code' || node.type === 'Html') return CODE;
  return node.value ?? node.children?.map(wordsOf).join('') ?? '';
}

function ruleFor(path: string): TextlintRuleReporter {
  return ({ Syntax, RuleError, report }: TextlintRuleContext) => ({
    [Syntax.Paragraph](node) {
      for (const sentence of sentencesOf(wordsOf(node as TextNode)))
        for (const message of suspectsIn(sentence, path))
          report(node, new RuleError(JSON.stringify({ message, sentence })));
    },
  });
}

const kernel = new TextlintKernel();

/** Lints Markdown: a document, or the text of one comment, title or message. */
export async function lintMarkdown(text: string, path: string): Promise<Finding[]> {
  // A tag of a docstring begins a paragraph.
  const { messages } = await kernel.lintText(text.replace(/\n(?=@[a-z])/g, '\n\n'), {
    ext: '.md',
    filePath: path,
    plugins: [{ pluginId: 'markdown', plugin: markdownPlugin }],
    rules: [{ ruleId: 'plain-english', rule: ruleFor(path) }],
  });
  return messages.map(({ loc, message }) => ({
    line: loc.start.line,
    ...(JSON.parse(message) as { message: string; sentence: string }),
  }));
}
