/** Injection tokens for dependencies without a class. */
export const SETTINGS = Symbol('settings');
/** Everything the process opened: a service's extension of `Runtime`. Prefer a narrower token. */
export const RESOURCES = Symbol('resources');
/** The adapters of all ports, as use cases take them: `Stores`. */
export const STORES = Symbol('stores');
