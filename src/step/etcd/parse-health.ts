/** What `etcdctl endpoint health -w json` found wrong with the one member it was asked about; undefined when it is well. */
export function healthProblem(text: string): string | undefined {
  const answer = parsed(text);
  const first: unknown = Array.isArray(answer) ? answer[0] : undefined;
  if (typeof first !== 'object' || first === null) return 'it does not answer';
  if ('health' in first && first.health === true) return undefined;
  return 'error' in first && typeof first.error === 'string' && first.error !== '' ? first.error : 'it is not healthy';
}

/** What the page /health of an endpoint found wrong; undefined when it is well. */
export function endpointProblem(text: string): string | undefined {
  const answer = parsed(text);
  if (typeof answer !== 'object' || answer === null || !('health' in answer)) return 'it does not answer as etcd does';
  if (answer.health === 'true' || answer.health === true) return undefined;
  return 'reason' in answer && typeof answer.reason === 'string' && answer.reason !== ''
    ? answer.reason
    : 'it is not healthy';
}

/** In which ways a host is not a whole member, by what `etcdctl member list -w json` said. */
export function membershipProblems(text: string, name: string): readonly string[] {
  const answer = parsed(text);
  const members: readonly unknown[] =
    typeof answer === 'object' && answer !== null && 'members' in answer && Array.isArray(answer.members)
      ? answer.members
      : [];
  if (members.length === 0) return ['it does not tell its members'];
  const own = members.find(
    (member) => typeof member === 'object' && member !== null && 'name' in member && member.name === name,
  );
  if (typeof own !== 'object' || own === null) return [`${name} is not among its members`];
  return 'isLearner' in own && own.isLearner === true ? ['it is a learner still'] : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
