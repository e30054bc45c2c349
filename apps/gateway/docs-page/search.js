// Searches /docs/search-index.json for the words of ?q=. Everything is set as text.
const MOST = 40;
const WEIGHTS = { page: 3, error: 2, operation: 1, list: 0 };
const summary = document.getElementById('summary');
const query = new URLSearchParams(location.search).get('q')?.trim().slice(0, 100) ?? '';

/** Each word must be in a page: in its title, as a word of it, or as the beginning of one. */
function scoreOf({ title, kind, words }, terms) {
  let score = WEIGHTS[kind];
  for (const term of terms) {
    if (title.toLowerCase().includes(term)) score += 20;
    else if (` ${words} `.includes(` ${term} `)) score += 5;
    else if (` ${words}`.includes(` ${term}`)) score += 2;
    else return 0;
  }
  return score;
}

function show({ title, address }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = address;
  link.textContent = title;
  item.append(link);
  return item;
}

async function search() {
  if (query === '') return;
  document.getElementById('query').value = query;
  const terms = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const response = await fetch('/docs/search-index.json');
  if (!response.ok) throw new Error(`status ${response.status}`);
  const found = (await response.json())
    .map((page) => ({ page, score: terms.length > 0 ? scoreOf(page, terms) : 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  document.getElementById('results').append(...found.slice(0, MOST).map(({ page }) => show(page)));
  const shown = found.length > MOST ? ` The first ${MOST} are shown.` : '';
  const pages = found.length === 1 ? '1 page has' : `${found.length} pages have`;
  summary.textContent = `${pages} “${query}”.${shown}`;
}

search().catch((error) => {
  summary.textContent = `The search failed: ${error.message}. Use the list of pages.`;
});
