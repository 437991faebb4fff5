/** Fields whose values are never shown. */
export const isSecretKey = (key: string) => SECRETS.has(key);

const SECRETS: ReadonlySet<string> = new Set(['password', 'privateKey', 'passphrase', 'sudoPassword', 'adminPassword']);
