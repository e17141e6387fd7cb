import { isIP } from 'node:net';
import type { ResourceMetadata } from '@turnkeeper/contracts';
import type { Settings } from '@turnkeeper/platform';
import { McpHostRefused, McpOriginRefused } from './mcp-errors.js';

type GateSettings = Pick<Settings, 'CORS_ORIGINS' | 'MCP_ALLOWED_HOSTS' | 'OIDC_ISSUER' | 'PUBLIC_URL'>;

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const SCOPES = ['memory:read', 'memory:write'] as const;

/** Checks who may use the MCP servers, and describes how to get a token for them. */
export class McpGate {
  private readonly base: URL;

  constructor(private readonly settings: GateSettings) {
    this.base = new URL(settings.PUBLIC_URL);
  }

  /** Throws `McpOriginRefused` or `McpHostRefused`. Both headers are the protection against DNS rebinding. */
  check({ host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined }): void {
    if (origin !== undefined && !this.allowsOrigin(origin)) throw new McpOriginRefused();
    if (host !== undefined && !this.allowsHost(host)) throw new McpHostRefused();
  }

  resourceUrl(memoryId: string): URL {
    return new URL(`${this.prefix}/mcp/${memoryId}`, this.base);
  }

  /** URL of the metadata (RFC 9728): the well-known path comes before the path of the resource. */
  metadataUrl(memoryId: string): string {
    const { origin, pathname } = this.resourceUrl(memoryId);
    return `${origin}${WELL_KNOWN}${pathname}`;
  }

  metadata(memoryId: string): ResourceMetadata {
    const { OIDC_ISSUER: issuer } = this.settings;
    return {
      resource: this.resourceUrl(memoryId).href,
      ...(issuer === undefined ? {} : { authorization_servers: [issuer] }),
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Turnkeeper memory',
    };
  }

  private get prefix(): string {
    return this.base.pathname.replace(/\/$/, '');
  }

  private allowsOrigin(origin: string): boolean {
    const { CORS_ORIGINS: origins } = this.settings;
    if (origins.includes('*') || origins.includes(origin) || origin === this.base.origin) return true;
    return URL.canParse(origin) && isLoopback(new URL(origin).hostname);
  }

  private allowsHost(host: string): boolean {
    if (!URL.canParse(`http://${host}`)) return false;
    const { hostname } = new URL(`http://${host}`);
    // Rebinding needs a host name, so requests by IP address are safe.
    if (isLoopback(hostname) || isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return true;
    return hostname === this.base.hostname || this.settings.MCP_ALLOWED_HOSTS.includes(hostname);
  }
}

const isLoopback = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
