// Approves or denies the log-in of a program: log in, enter the code, decide. Everything is set as text.
const form = (name) => document.getElementById(name);
const steps = ['log-in', 'code', 'decision'].map(form);
const message = document.getElementById('message');
const confirmation = document.getElementById('confirm');
/** The code of the address. */
let userCode = decodeURIComponent(location.hash.slice(1));

/** Shows one step, or none. */
function show(name, text = '') {
  for (const step of steps) step.hidden = step.id !== name;
  message.textContent = text;
}

/** @returns the response, or its problem */
async function send(path, body) {
  const response = await fetch(`/account/v1/${path}`, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    signal: AbortSignal.timeout(30_000),
  });
  const result = await response.json();
  return response.ok ? { result } : { problem: result };
}

/** The step that a problem leads to, with its text. */
function explain({ code, detail }) {
  if (code === 'not_signed_in') return show('log-in', 'Log in first.');
  if (code !== 'recent_log_in_required') return show('code', detail);
  confirmation.hidden = false;
  return show('decision', 'Enter your password to confirm.');
}

async function showRequest() {
  const { result, problem } = await send('device/show', { userCode });
  if (problem) return explain(problem);
  const { name, scopes, address, userAgent, keyExpiresAt } = result.request;
  const lines = [
    `Code: ${userCode.toUpperCase()}`,
    `Name: ${name}`,
    `Permissions: ${scopes.join(', ')}`,
    `Program: ${userAgent ?? 'unknown'} at ${address}`,
    `The key expires on ${new Date(keyExpiresAt).toDateString()}`,
  ];
  document
    .getElementById('request')
    .replaceChildren(
      ...lines.map((line) => Object.assign(document.createElement('li'), { textContent: line })),
    );
  return show('decision');
}

async function decide(what) {
  const password = form('decision').elements.password.value;
  if (!confirmation.hidden && password !== '') {
    const { problem } = await send('session/confirm', { password });
    if (problem) return show('decision', problem.errors?.[0]?.message ?? problem.detail);
  }
  const { problem } = await send(`device/${what}`, { userCode });
  if (problem) return explain(problem);
  return show(
    '',
    what === 'approve' ? 'Approved. Return to the program.' : 'Denied. The program receives no key.',
  );
}

/** Runs an action when a form is sent, and states a failure. */
function onSubmit(name, action) {
  form(name).addEventListener('submit', (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.target));
    action(fields, event.submitter?.value).catch((error) => {
      message.textContent = `The request failed: ${error.message}`;
    });
  });
}

onSubmit('log-in', async ({ email, password }) => {
  const { problem } = await send('log-in', { email, password });
  if (problem) return show('log-in', problem.detail);
  return userCode === '' ? show('code') : showRequest();
});
onSubmit('code', (fields) => {
  userCode = fields.userCode.trim();
  return showRequest();
});
onSubmit('decision', (_, what) => decide(what));

send('session')
  .then(({ problem }) => {
    if (problem) return explain(problem);
    return userCode === '' ? show('code') : showRequest();
  })
  .catch((error) => {
    message.textContent = `The page could not be shown: ${error.message}`;
  });
