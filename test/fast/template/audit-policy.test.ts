import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { auditPolicy } from '../../../src/template/kubernetes/audit-policy.ts';

interface Rule {
  readonly level: 'None' | 'Metadata' | 'Request' | 'RequestResponse';
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly { readonly group: string; readonly resources?: readonly string[] }[];
  readonly nonResourceURLs?: readonly string[];
}

/** A request to the API server. */
interface Request {
  readonly verb: string;
  readonly group: string;
  /** "secrets", "serviceaccounts/token" */
  readonly resource: string;
  readonly userGroups?: readonly string[];
}

const { rules }: { readonly rules: readonly Rule[] } = parse(auditPolicy());

/** The level of a request as the API server chooses it: that of the first rule that matches, None without one. */
const levelOf = (request: Request): Rule['level'] => rules.find((rule) => matches(rule, request))?.level ?? 'None';

function matches(rule: Rule, { verb, group, resource, userGroups = [] }: Request): boolean {
  if (rule.nonResourceURLs || rule.users) return false;
  if (rule.userGroups && !rule.userGroups.some((each) => userGroups.includes(each))) return false;
  if (rule.verbs && !rule.verbs.includes(verb)) return false;
  if (!rule.resources) return true;
  return rule.resources.some(
    (each) => each.group === group && (each.resources === undefined || each.resources.includes(resource)),
  );
}

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

it.each([
  ['', 'secrets'],
  ['', 'configmaps'],
  ['', 'serviceaccounts/token'],
  ['authentication.k8s.io', 'tokenreviews'],
])('keeps the content of %s/%s out of the audit log, whatever the request', (group, resource) => {
  const contents = VERBS.filter((verb) => !['None', 'Metadata'].includes(levelOf({ verb, group, resource })));
  expect(contents).toEqual([]);
});

it('records who changed what, with the new content, but no responses', () => {
  expect(levelOf({ verb: 'create', group: 'apps', resource: 'deployments' })).toBe('Request');
  expect(levelOf({ verb: 'delete', group: '', resource: 'secrets' })).toBe('Metadata');
  expect(levelOf({ verb: 'get', group: '', resource: 'pods' })).toBe('Metadata');
  expect(rules.filter(({ level }) => level === 'RequestResponse')).toEqual([]);
});

it('records changes of nodes, but not what they read', () => {
  const userGroups = ['system:nodes'];
  expect(levelOf({ verb: 'get', group: '', resource: 'secrets', userGroups })).toBe('None');
  expect(levelOf({ verb: 'patch', group: '', resource: 'nodes/status', userGroups })).toBe('Request');
});
