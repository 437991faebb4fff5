/** A name of the time zone database. Hosts look it up as a file, so upper and lower case matter there. */
export function isTimeZone(name: string): boolean {
  const known = timeZones();
  if (known.includes(name)) return true;
  const lower = name.toLowerCase();
  if (known.some((zone) => zone.toLowerCase() === lower) || !/^[A-Z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export const timeZones = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];
