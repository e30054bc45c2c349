// Shows /asyncapi.json: its description, and of each channel what goes either way. Everything is set as text.
const main = document.getElementById('docs');

function element(name, text, ...children) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  made.append(...children);
  return made;
}

/** `**bold**` and `code` of the description; nothing else is in it. */
function paragraph(text) {
  const parts = text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) => {
    if (part.startsWith('**')) return element('strong', part.slice(2, -2));
    return part.startsWith('`') ? element('code', part.slice(1, -1)) : part;
  });
  return element('p', '', ...parts);
}

function message({ name, summary, payload }) {
  const title = element('summary', '', element('code', name), summary ? ` ${summary}` : '');
  return element('details', '', title, element('pre', JSON.stringify(payload, null, 2)));
}

function channel(id, { address, summary }, { operations, components }) {
  const section = element('section', '', element('h2', address), element('p', summary));
  for (const { action, channel: of, messages } of Object.values(operations)) {
    if (of.$ref !== `#/channels/${id}`) continue;
    section.append(element('h3', action === 'send' ? 'The service sends' : 'A client sends'));
    for (const { $ref } of messages) {
      const name = $ref.split('/').at(-1);
      section.append(message(components.messages[`${id}.${name}`] ?? components.messages[name]));
    }
  }
  return section;
}

async function show() {
  const spec = await (await fetch('/asyncapi.json')).json();
  main.append(element('h1', `${spec.info.title} ${spec.info.version}`));
  main.append(...spec.info.description.split('\n\n').map(paragraph));
  for (const [id, each] of Object.entries(spec.channels)) main.append(channel(id, each, spec));
  main.append(element('h2', 'Schemas'));
  for (const [name, payload] of Object.entries(spec.components.schemas)) {
    main.append(message({ name, payload }));
  }
}

show().catch((error) => main.append(element('p', `The document could not be shown: ${error.message}`)));
