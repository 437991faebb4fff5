import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { Json } from '../../../common/json.ts';
import { at, count, parseJson, text } from '../../json.ts';
import type { FaultInjector, MirrorFault } from './faults.ts';
import { sendJson } from './send.ts';

/** The path of the fault API, which accepts requests only from this computer. */
export const CONTROL = '/-/faults';

/** Handles the fault API: GET lists faults, PUT sets one, DELETE clears one or all. */
export async function handleControl(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  faults: FaultInjector,
): Promise<void> {
  // Lab machines must not change the faults of the test they belong to.
  if (!isLoopback(request.socket.remoteAddress ?? '')) {
    return sendJson(response, 403, { error: 'faults can be changed only from loopback' });
  }
  switch (request.method ?? 'GET') {
    case 'GET':
      break;
    case 'PUT': {
      const parsed = parse(await readText(request));
      if (parsed === undefined) return sendJson(response, 400, { error: EXPECTED });
      faults.set(parsed.pattern, parsed.fault);
      break;
    }
    case 'DELETE':
      faults.clear(url.searchParams.get('pattern') ?? undefined);
      break;
    default:
      return sendJson(response, 405, { error: 'use GET, PUT or DELETE' });
  }
  return sendJson(response, 200, faults.list());
}

const EXPECTED =
  'expected: {"pattern": "*kubelet", "fault": {"type": T, "times": 2}} with T one of slow (bytesPerSecond), stall, error (status), ' +
  'truncated, wrong-content (page), wrong-checksum, no-range';

const isLoopback = (address: string) => /^(::ffff:)?127\.|^::1$/.test(address);

function parse(body: string): { readonly pattern: string; readonly fault: MirrorFault } | undefined {
  try {
    const json = parseJson(body);
    const pattern = text(at(json, 'pattern'));
    const fault = toFault(at(json, 'fault'));
    return pattern !== '' && fault ? { pattern, fault } : undefined;
  } catch {
    return undefined;
  }
}

function toFault(json: Json): MirrorFault | undefined {
  const times = count(at(json, 'times'));
  const more = times > 0 ? { times } : {};
  const type = text(at(json, 'type'));
  switch (type) {
    case 'slow':
      return { type, bytesPerSecond: Math.max(1, count(at(json, 'bytesPerSecond')) || 10_000), ...more };
    case 'error':
      return { type, status: count(at(json, 'status')) || 503, ...more };
    case 'wrong-content':
      return { type, page: at(json, 'page') === true, ...more };
    case 'stall':
    case 'truncated':
    case 'wrong-checksum':
    case 'no-range':
      return { type, ...more };
    default:
      return undefined;
  }
}
