import type { Store, StoreDeps } from '../src/store/index.ts'

/** Opens a store that takes its ids and times from the test. */
export type OpenStore = (deps: StoreDeps) => Promise<Store>

/**
 * Every promise of `Store`, as tests for vitest: call it in a test file of your own. `open` gives a store on a database that
 * nobody has used. It needs `vitest` and `fast-check` in your project.
 *
 * @example
 * ```ts no-run
 * import { storeContract } from 'pith/store/conformance'
 * import { openMyStore } from './my-store.ts'
 *
 * storeContract('my store', (deps) => openMyStore(deps))
 * ```
 */
export declare function storeContract(name: string, open: OpenStore): void

/** The promises between two stores on one database, as two processes have them. `database` makes one that nobody has used. */
export declare function sharedStoreContract(name: string, database: () => Promise<OpenStore>): void
