/** Names of contexts, for the shell to complete. */
export async function contextNames(): Promise<readonly string[]> {
  const { readContexts } = await import('../state/contexts.ts');
  return (await readContexts()).contexts.map(({ name }) => name);
}
