// A file of its own, because the page allows no script inside it. Keys that are typed in are kept by the tab alone.
window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  // Unless told not to, it sends the document's address to a validator of its makers.
  validatorUrl: null,
  // It would link the licence to a list of public ones, where ours is not.
  plugins: [() => ({ components: { OAS31License: () => null } })],
});
