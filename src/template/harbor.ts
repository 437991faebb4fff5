import { stringify } from 'yaml';

export interface HarborConfig {
  /** Harbor version: 2.15.2 */
  readonly version: string;
  readonly hostname: string;
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
  readonly adminPassword: string;
  readonly databasePassword: string;
  readonly dataDir: string;
}

/** The text of harbor.yml. Settings other than the options are Harbor's defaults. */
export function harborConfig(options: HarborConfig): string {
  const { version, hostname, port, certificate, key, adminPassword, databasePassword, dataDir } = options;
  const config = {
    hostname,
    http: { port: 80 },
    https: { port, certificate, private_key: key },
    harbor_admin_password: adminPassword,
    database: {
      password: databasePassword,
      max_idle_conns: 100,
      max_open_conns: 900,
      conn_max_lifetime: '5m',
      conn_max_idle_time: 0,
    },
    data_volume: dataDir,
    trivy: {
      ignore_unfixed: false,
      skip_update: false,
      skip_java_db_update: false,
      offline_scan: false,
      security_check: 'vuln',
      insecure: false,
      timeout: '5m0s',
    },
    jobservice: {
      max_job_workers: 10,
      max_job_duration_hours: 24,
      job_loggers: ['STD_OUTPUT', 'FILE'],
      logger_sweeper_duration: 1,
    },
    notification: { webhook_job_max_retry: 3, webhook_job_http_client_timeout: 3 },
    log: { level: 'info', local: { rotate_count: 50, rotate_size: '200M', location: HARBOR_LOG } },
    // Version of the file format: the .0 release of the minor.
    _version: version.replace(/^v?(\d+\.\d+).*$/, '$1.0'),
    proxy: { http_proxy: null, https_proxy: null, no_proxy: null, components: ['core', 'jobservice', 'trivy'] },
    upload_purging: { enabled: true, age: '168h', interval: '24h', dryrun: false },
    cache: { enabled: false, expire_hours: 24 },
  };
  return `# Written by kubexm.\n${stringify(config, { nullStr: '' })}`;
}

export const HARBOR_LOG = '/var/log/harbor';
