export function isTimeZone(name: string): boolean {
  try {
    return !/^[+-]/.test(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone);
  } catch {
    return false;
  }
}

export const timeZones = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];
