/** All names, or the first ones and how many more there are. */
export const few = (names: readonly string[], most = 6): string =>
  names.length > most ? `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} more` : names.join(', ');
