export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name })) && !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

export const timeZones = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];
