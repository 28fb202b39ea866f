// A server between the browser and an archive, that passes everything on and changes what it is told to.

import { createServer } from 'node:http';

const PASSED_ON = ['content-type', 'content-security-policy'];

/** Stands before the archive at `target`; `lie(path, answer)` may give another answer in the place of each JSON one. */
export async function serveLies(target) {
  let lie = null;
  const server = createServer(async (request, response) => {
    try {
      const { method, url } = request;
      const sent = method === 'POST' ? { method, headers: { 'content-type': 'application/json' }, body: Buffer.concat(await request.toArray()) } : {};
      const honest = await fetch(new URL(url, target), sent);
      const headers = PASSED_ON.filter((name) => honest.headers.has(name)).map((name) => [name, honest.headers.get(name)]);
      const body = Buffer.from(await honest.arrayBuffer());
      const told = lie !== null && request.url.startsWith('/v1/') ? await lie(request.url, JSON.parse(body), honest.status) : undefined;
      const { status = honest.status, text = JSON.stringify(told), more = {} } = told?.raw ?? {};
      response.writeHead(status, { ...Object.fromEntries(headers), ...more }).end(told === undefined ? body : text);
    } catch (error) {
      response.writeHead(502).end(String(error));
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${server.address().port}/`, tell: (told) => { lie = told; }, stop };
}
