import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { expectLoad, startClients } from '../../lab/support/load.ts';
import { home } from '../cli/kubexm.ts';

const LIMITS = { apiFailures: 0, serviceFailures: 0, gapSeconds: 5 };
const folder = '/api/v1/namespaces/load/configmaps';

/** An API that stores objects, unless `isLost` says that it acknowledges one without storing it. */
function objects(isLost: (number: number) => boolean): RequestListener {
  const stored = new Map<string, object>();
  let number = 0;
  return (request, response) => {
    const reply = (status: number, body: object = {}) => response.writeHead(status).end(JSON.stringify(body));
    if (request.url === '/readyz') return void reply(200);
    if (request.method === 'POST') {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      return void request.on('end', () => {
        const body = JSON.parse(text);
        number += 1;
        if (!isLost(number)) stored.set(body.metadata.name, body);
        reply(201, body);
      });
    }
    if (request.url === folder) return void reply(200, { items: [...stored.values()] });
    const found = stored.get(request.url?.slice(folder.length + 1) ?? '');
    return void (found ? reply(200, found) : reply(404));
  };
}

async function serve(listener: RequestListener): Promise<{ readonly socket: string }> {
  const socket = join(home(), 'socket');
  const server = createServer(listener).listen(socket);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { socket };
}

/** Runs both clients until the Service got this many calls. */
async function clients(api: RequestListener, respond: (call: number) => number) {
  let calls = 0;
  const service = await serve((_, response) => void response.writeHead(respond((calls += 1))).end());
  const finish = await startClients({ api: await serve(api), service }, new Map());
  await expect.poll(() => calls, { timeout: 20_000 }).toBeGreaterThan(5);
  return finish();
}

it('a load generator reports no failures and no lost writes of a working cluster', async () => {
  const report = await clients(
    objects(() => false),
    () => 200,
  );
  expect(report.acknowledged).toBeGreaterThan(2);
  expectLoad(report, LIMITS);
});

it('a load generator reports an acknowledged write that was not stored', async () => {
  const report = await clients(
    objects((number) => number === 2),
    () => 200,
  );
  expect(report.lost).toHaveLength(1);
  expect(() => expectLoad(report, { ...LIMITS, apiFailures: 10 })).toThrow('lost acknowledged writes');
});

it('a load generator counts failed calls of the Service', async () => {
  const report = await clients(
    objects(() => false),
    (call) => (call === 3 ? 503 : 200),
  );
  expect(report.service).toMatchObject({ failures: 1 });
  expect([...report.service.reasons]).toEqual([['status 503', 1]]);
  expect(() => expectLoad(report, LIMITS)).toThrow('Service');
});
