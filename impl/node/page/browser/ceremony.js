// A mixnet's board with a ceremony on it, made by the commands that people use.

import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PROGRAM, background, serveBy } from './archive.js';

/** Two servers and three senders, one of them in the north; done, and asked which outputs came from the north; `url`, and `stop`. */
export async function serveCeremony() {
  const folder = await mkdtemp(join(tmpdir(), 'aardvark-ceremony-'));
  const at = (name) => join(folder, name);
  const mixnet = async (...words) => JSON.parse((await promisify(execFile)(PROGRAM, ['--json', 'mixnet', ...words])).stdout);
  const [first, second, , querier, ...senders] = await Promise.all(
    ['first', 'second', 'organiser', 'querier', 'ada', 'bob', 'cyd'].map((name) => mixnet('key', at(name))));
  await writeFile(at('senders'), senders.map(({ key }, place) => `${key},${place === 0 ? 'north' : 'south'}\n`).join(''));
  const servers = [first, second].flatMap((server) => ['--server', server.public]);
  await mixnet('new', at('terms'), '--registry', at('senders'), '--value-bytes', '2', ...servers, '--querier', querier.public);
  const served = await serveBy(['mixnet', 'board', at('board'), '--listen', '127.0.0.1:0', '--json'], async () => {});
  const board = ['--board', served.url];
  const running = await Promise.all(['first', 'second'].map(async (name) => {
    const home = await mkdir(at(`home-of-${name}`), { recursive: true });
    await copyFile(at(name), join(home, 'key'));
    return background(['mixnet', 'server', '--home', home, ...board]);
  }));
  const until = async (stage) => {
    while ((await mixnet('status', ...board)).stage !== stage) await setTimeout(100);
  };
  await mixnet('start', at('terms'), '--key', at('organiser'), ...board);
  await until('open');
  for (const [place, name] of ['ada', 'bob', 'cyd'].entries()) await mixnet('send', String(place + 7), '--key', at(name), ...board);
  await mixnet('close', '--key', at('organiser'), ...board);
  await until('done');
  await mixnet('trace-out', '--inputs', 'label:north', '--outputs', 'all', '--key', at('querier'), '--wait', ...board);
  const stop = async () => {
    await Promise.all([...running, served].map((process) => process.stop()));
    await rm(folder, { recursive: true });
  };
  return { url: served.url, stop };
}
