// A mutant: the original source, its replacement without the protection, and the test that must fail.
// `statement`: `original` is one statement (or several), `expression`: an expression.
const remove = (file, name, original, test) => ({ file, name, original, mutated: '', test });
const change = (file, name, original, mutated, test) => ({
  file,
  name,
  original,
  mutated,
  test,
  kind: 'expression',
});

/** @param text with $ON in the place where it checks whether the mutant is on */
const rewrite = (file, name, original, text, test) => ({
  file,
  name,
  original,
  mutated: text,
  test,
  kind: 'text',
});

module.exports = { remove, change, rewrite };
