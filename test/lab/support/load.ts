import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { Lab } from '../../../src/lab/up.ts';
import { accountRequests, clientText, lostWrites, type ClientReport, type LoadRequest } from './load-account.ts';
import { recorded, repeat, send, type LoadServer } from './load-client.ts';
import { LOAD_PORT, LOAD_SERVICE } from './load-service.ts';
import type { Kubectl } from './verify-cluster.ts';

/** A cluster under load, and the path that its clients take. */
export interface LoadTarget {
  readonly lab: Lab;
  /** The machine from which both clients connect. It must stay in the cluster. */
  readonly from: string;
  /** The API endpoint seen from there: a VIP, or 127.0.0.1 for an internal load balancer. */
  readonly api: string;
  /** Runs kubectl on a master that stays in the cluster. */
  readonly kubectl: Kubectl;
}

/** What both clients saw during one operation. */
export interface LoadReport {
  /** Creates objects through the API and reads each of them back. */
  readonly api: ClientReport;
  /** Calls a Service that two Pods serve. */
  readonly service: ClientReport;
  /** The number of acknowledged writes, including those of earlier operations. */
  readonly acknowledged: number;
  readonly lost: readonly string[];
}

/** Clients that are ready to run during operations on a cluster. */
export interface Load {
  /** Runs an operation while both clients send requests, and prints what they saw. */
  readonly during: <T>(
    name: string,
    operation: () => Promise<T>,
  ) => Promise<{ readonly result: T; readonly report: LoadReport }>;
}

/** Prepares a Service and a namespace for the clients. */
export async function prepareLoad(target: LoadTarget): Promise<Load> {
  const { kubectl } = target;
  await kubectl(`apply -f - <<'END'\n${LOAD_SERVICE}\nEND`);
  await kubectl('-n load rollout status deployment/load --timeout=600s');
  const address = await kubectl("-n load get service load -o 'jsonpath={.spec.clusterIP}'");
  const acknowledged = new Map<string, string>();
  return {
    async during(name, operation) {
      await using tunnel = await openTunnel(target, address);
      const finish = await startClients(tunnel, acknowledged);
      const result = await operation().catch(async (error: unknown) => {
        console.log(`load, ${name} (failed): ${reportText(await finish())}`);
        throw error;
      });
      const report = await finish();
      console.log(`load, ${name}: ${reportText(report)}`);
      return { result, report };
    },
  };
}

/** Failures and gaps that an operation may cause. No operation may lose an acknowledged write. */
export interface LoadLimits {
  readonly apiFailures: number;
  readonly serviceFailures: number;
  readonly gapSeconds: number;
}

export function expectLoad({ api, service, acknowledged, lost }: LoadReport, limits: LoadLimits): void {
  expect(lost, 'lost acknowledged writes').toEqual([]);
  expect(acknowledged, 'acknowledged writes').toBeGreaterThan(0);
  expect(api.failures, `API: ${clientText(api)}`).toBeLessThanOrEqual(limits.apiFailures);
  expect(service.failures, `Service: ${clientText(service)}`).toBeLessThanOrEqual(limits.serviceFailures);
  for (const report of [api, service])
    expect(report.longestGapSeconds, clientText(report)).toBeLessThanOrEqual(limits.gapSeconds);
}

const reportText = ({ api, service, acknowledged, lost }: LoadReport) =>
  `API ${clientText(api)}; Service ${clientText(service)}; ${lost.length} of ${acknowledged} acknowledged writes lost${lost.length > 0 ? `: ${lost.join(', ')}` : ''}`;

/** The servers that the clients connect to. */
export interface LoadServers {
  readonly api: LoadServer;
  readonly service: LoadServer;
}

/** Forwards two sockets over SSH, so that connections start on a machine of the lab. */
async function openTunnel({ lab, from, api }: LoadTarget, service: string): Promise<LoadServers & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'kubexm-load-'));
  const sockets = { api: join(folder, 'api'), service: join(folder, 'service') };
  const forwards = ['-L', `${sockets.api}:${api}:6443`, '-L', `${sockets.service}:${service}:${LOAD_PORT}`];
  const options = ['-N', '-o', 'BatchMode=yes', '-o', 'ExitOnForwardFailure=yes', '-o', 'LogLevel=ERROR'];
  const child = spawn('ssh', ['-F', lab.paths.sshConfig, ...options, ...forwards, from], { stdio: 'ignore' });
  const closed = once(child, 'close');
  await expect.poll(() => Object.values(sockets).every(existsSync), { timeout: 60_000 }).toBe(true);
  const file = join(lab.paths.folder, '.kubexm', lab.name, 'kubeconfig');
  const { clusters, users } = parse(await readFile(file, 'utf8'));
  const [{ cluster }, { user }] = [clusters[0], users[0]];
  const decoded = (text: string) => Buffer.from(text, 'base64');
  const tls = {
    ca: decoded(cluster['certificate-authority-data']),
    cert: decoded(user['client-certificate-data']),
    key: decoded(user['client-key-data']),
  };
  return {
    api: { socket: sockets.api, tls },
    service: { socket: sockets.service },
    async [Symbol.asyncDispose]() {
      child.kill();
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts both clients once each of them got a response. The function that it returns ends them and counts. */
export async function startClients(
  { api, service }: LoadServers,
  acknowledged: Map<string, string>,
): Promise<() => Promise<LoadReport>> {
  const responds = (server: LoadServer, path: string) =>
    send(server, { path, timeoutMs: REQUEST_TIMEOUT_MS }).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(() => responds(api, '/readyz'), { timeout: 120_000 }).toBe(200);
  await expect.poll(() => responds(service, '/'), { timeout: 120_000 }).toBe(200);
  const requests: Record<'api' | 'service', LoadRequest[]> = { api: [], service: [] };
  const unread: string[] = [];
  const first = acknowledged.size;
  const from = performance.now();
  const stopApi = repeat(INTERVAL_MS, async (number) => {
    const name = `w${Date.now()}-${number}`;
    const value = `${first + number}`;
    const body = { metadata: { name }, data: { value } };
    const created = send(api, { method: 'POST', path: OBJECTS, body, timeoutMs: REQUEST_TIMEOUT_MS });
    if (!(await recorded(requests.api, 201, created))) return;
    acknowledged.set(name, value);
    const path = `${OBJECTS}/${name}`;
    const read = send(api, { path, timeoutMs: REQUEST_TIMEOUT_MS });
    const found = await recorded(requests.api, 200, read);
    if (found && JSON.parse(found.body).data?.value !== value) unread.push(name);
  });
  const stopService = repeat(INTERVAL_MS, async () => {
    await recorded(requests.service, 200, send(service, { path: '/', timeoutMs: REQUEST_TIMEOUT_MS }));
  });
  return async () => {
    const to = performance.now();
    await Promise.all([stopApi(), stopService()]);
    const lost = lostWrites(acknowledged, await storedObjects(api));
    return {
      api: accountRequests(requests.api, { from, to }),
      service: accountRequests(requests.service, { from, to }),
      acknowledged: acknowledged.size,
      lost: [...new Set([...lost, ...unread])],
    };
  };
}

const OBJECTS = '/api/v1/namespaces/load/configmaps';
const INTERVAL_MS = 300;
const REQUEST_TIMEOUT_MS = 10_000;

/** All objects by name. Retries, because the operation may have failed and left the API unavailable for a moment. */
async function storedObjects(api: LoadServer): Promise<ReadonlyMap<string, string>> {
  let stored: ReadonlyMap<string, string> = new Map();
  const list = async () => {
    const { status, body } = await send(api, { path: OBJECTS, timeoutMs: 60_000 });
    const { items = [] }: { items?: readonly StoredObject[] } = JSON.parse(body);
    stored = new Map(items.map(({ metadata, data }) => [metadata.name, data?.value ?? '']));
    return status;
  };
  await expect.poll(() => list().catch(() => 0), { timeout: 180_000, interval: 1000 }).toBe(200);
  return stored;
}

interface StoredObject {
  readonly metadata: { readonly name: string };
  readonly data?: { readonly value?: string };
}
