/**
 * Defines the shell function `sha256_of PATH`, which prints nothing if PATH is unreadable. Prefers openssl, which is
 * much faster.
 */
export const SHA256_FUNCTION = `sha256_of() {
  if command -v openssl >/dev/null; then set -- $(openssl dgst -sha256 -r <"$1"); else set -- $(sha256sum <"$1"); fi
  echo "$1"
}`;
