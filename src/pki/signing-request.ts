import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

/** The names that a certificate signing request asks for. */
export interface RequestedNames {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dns: readonly string[];
  readonly ips: readonly string[];
  /** Email addresses and URIs, which no certificate of kubexm has. */
  readonly others: readonly string[];
}

/** Reads a certificate signing request in PEM; undefined if it cannot be parsed or is not signed with its own key. */
export async function requestedNames(pem: string): Promise<RequestedNames | undefined> {
  const request = parse(pem);
  if (request === undefined || !(await request.verify().catch(() => false))) return undefined;
  const names = request.extensions.flatMap((each) =>
    each instanceof x509.SubjectAlternativeNameExtension ? each.names.items : [],
  );
  const ofType = (type: string) => names.filter((name) => name.type === type).map(({ value }) => value);
  return {
    commonName: request.subjectName.getField('CN').join(','),
    organizations: request.subjectName.getField('O'),
    dns: ofType('dns'),
    ips: ofType('ip'),
    others: names.filter(({ type }) => type !== 'dns' && type !== 'ip').map(({ value }) => value),
  };
}

function parse(pem: string): x509.Pkcs10CertificateRequest | undefined {
  try {
    return new x509.Pkcs10CertificateRequest(pem);
  } catch {
    return undefined;
  }
}
