/** The flag that says which mirror is meant. */
export const mirrorFolder = {
  type: 'text',
  value: 'DIR',
  summary: 'folder of the mirror; ~/.kubexm/mirror without it',
} as const;

/** The folder that the flag names, or the usual one. */
export async function folderOf(dir: string | undefined): Promise<string> {
  const { defaultMirrorFolder, mirrorPaths } = await import('../../lab/mirror/paths.ts');
  return mirrorPaths(dir ?? defaultMirrorFolder()).folder;
}
