import type { ConnectorVendor, VendorAppRule } from '@turnkeeper/application';
import type { RouteSpec } from '@turnkeeper/contracts';
import type { z } from 'zod';

/** One of our errors, as problem details. */
export interface Problem {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail?: string;
  readonly [extra: string]: unknown;
}

/** How routes that imitate a vendor's API report errors: in the vendor's envelope and with its codes. */
export interface ApiErrors {
  /** URL prefixes of the API; none of our own routes uses them. */
  readonly prefixes: readonly string[];
  /** @param cause.error the source of the problem */
  readonly answer: (
    problem: Problem,
    cause: { readonly error: unknown; readonly requestId: string },
  ) => { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: object };
}

/** A platform on which agents run or speak. Each has a folder here; `vendors.ts` lists them. */
export interface Vendor<Verified = unknown> {
  /** As in `vendor` of connectors, vendor apps and agents; also the name of the folder. */
  readonly name: string;
  /** Absent: the platform's callbacks cannot be received. */
  readonly connector?: ConnectorVendor<Verified> & {
    /**
     * Body that creates a connector. Everything beyond `connectorBase` maps calls to actors and sessions, as a text with a
     * default: a change of a connector takes the same fields without their defaults.
     */
    readonly body: z.ZodObject;
    /** Route of the callbacks, with the path parameter `connectorId`. */
    readonly callback: RouteSpec;
    /** Meaning of a notice's `eventType`, for the documentation. */
    readonly eventTypes: string;
  };
  /** Routes in the platform's format, with our own errors. Absent: none. */
  readonly routes?: readonly RouteSpec[];
  /** Request headers in which the platform's runtime names the end user. Absent: it has no such headers. */
  readonly runtimeHeaders?: { readonly user: string; readonly session: string };
  /** Absent: the platform has no projects that are registered here. */
  readonly app?: { readonly check?: VendorAppRule };
  /** The parts of the platform's server API that are served here, with its errors. */
  readonly api?: {
    readonly routes: readonly RouteSpec[];
    /** Description of the routes' tag. */
    readonly tag: string;
    readonly errors: ApiErrors;
    /** Another path of the same API, as the one that is served. */
    readonly rewriteUrl?: (url: string) => string;
  };
}
