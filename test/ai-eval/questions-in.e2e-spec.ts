import { questionsIn } from './questions-in';

describe('questionsIn', () => {
  it('reads one question a line, and skips empty ones', () => {
    const text =
      '{"question":"What is the risk index?"}\n\n{"question":"HF?","answered":false,"absent":["1"]}\n';
    expect(questionsIn(text)).toEqual([
      { id: 'line-1', category: 'exact', question: 'What is the risk index?' },
      { id: 'line-3', category: 'exact', question: 'HF?', answered: false, absent: ['1'] },
    ]);
  });

  it.each([
    ['', 'no question'],
    ['{"question":"a"}\nnonsense', 'line 2 is no JSON'],
    ['{"answered":true}', 'line 1: /question'],
    ['{"question":"a","numbers":["1"]}', 'line 1: /numbers/0'],
    ['{"question":"a","category":"mine"}', 'line 1: /category'],
  ])('names what is wrong: %j', (text, message) => {
    expect(() => questionsIn(text)).toThrow(message);
  });
});
