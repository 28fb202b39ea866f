// Asks an archive again that has no time: as often and as late as is of use to somebody who looks at a page.

/** Times that it is asked, and the longest wait that is waited, in seconds. */
const [TIMES, LONGEST] = [5, 8];

/** It has too much to do, or its store is being opened anew: 429 and 503. */
export const isBusy = (answer) => answer.status === 429 || answer.status === 503;

/** Seconds that the archive asks to wait; null where it does not say. */
function retryAfter(answer) {
  const said = answer.headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(said) ? Number(said) : null;
}

/** When to try again, in words. */
export function laterThan(answer) {
  const seconds = retryAfter(answer);
  return seconds !== null && seconds > LONGEST ? `in ${seconds} s` : 'later';
}

/**
 * Asks, and again while the archive is busy: after the time that it names, or 1, 2, 4, 8 s where it names none; never where it
 * names more than anybody waits for. With a body it is posted as JSON. `wait` waits so many seconds, and says whether to ask again. The last answer and its text.
 */
export async function askPatiently(path, wait, body) {
  const posted = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  for (let time = 1; ; time += 1) {
    const answer = await fetch(path, posted);
    const text = await answer.text();
    if (!isBusy(answer)) return { answer, text };
    const seconds = Math.max(1, retryAfter(answer) ?? 2 ** (time - 1));
    if (time === TIMES || seconds > LONGEST || !await wait(seconds)) return { answer, text };
  }
}
