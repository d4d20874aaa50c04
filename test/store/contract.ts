import { describe } from 'vitest'
import { accessTests } from './contract/access.ts'
import { accountTests } from './contract/accounts.ts'
import { appendTests } from './contract/append.ts'
import { chainTests } from './contract/chains.ts'
import { closeTests } from './contract/close.ts'
import { deleteTests } from './contract/delete.ts'
import { entryTests } from './contract/entries.ts'
import { forkTests } from './contract/forks.ts'
import { guardTests } from './contract/guard.ts'
import { hitTests } from './contract/hits.ts'
import { keyTests } from './contract/key.ts'
import { leaseTests } from './contract/leases.ts'
import { pauseTests } from './contract/pauses.ts'
import { propertyTests } from './contract/property.ts'
import { redactTests } from './contract/redact.ts'
import { revisionTests } from './contract/revision.ts'
import { roundTripTests } from './contract/round-trip.ts'
import { searchTests } from './contract/search.ts'
import { sessionTests } from './contract/sessions.ts'
import { sharedTests } from './contract/shared.ts'
import { signalTests } from './contract/signals.ts'
import { sizeTests } from './contract/sizes.ts'
import { subscribeTests } from './contract/subscribe.ts'
import { summaryTests } from './contract/summaries.ts'
import { type OpenStore, opener } from './contract/world.ts'

/** The contract of every store. `open` gives a store on an unused database. */
export function storeContract(name: string, open: OpenStore): void {
  const start = opener(open)
  describe(name, () => {
    describe('sessions', () => sessionTests(start))
    describe('append', () => appendTests(start))
    describe('the revision of an append', () => revisionTests(start))
    describe('the guard of an append', () => guardTests(start))
    describe('the key of an append or a creation', () => keyTests(start))
    describe('entries', () => entryTests(start))
    describe('what was stored', () => roundTripTests(start))
    describe('forks', () => forkTests(start))
    describe('search', () => {
      searchTests(start)
      hitTests(start)
    })
    describe('redact', () => redactTests(start))
    describe('summaries beside the log', () => summaryTests(start))
    describe('accounts beside the log', () => accountTests(start))
    describe('sizes of entries and of the session', () => sizeTests(start))
    describe('chains beside the log', () => chainTests(start))
    describe('access to servers', () => accessTests(start))
    describe('delete', () => deleteTests(start))
    describe('leases', () => leaseTests(start))
    describe('pauses of a session', () => pauseTests(start))
    describe('subscribe', () => subscribeTests(start))
    describe('signals', () => signalTests(start))
    describe('close', () => closeTests(start))
    describe('any sequence of appends, forks and redactions', () => propertyTests(start))
  })
}

/** The contract of two stores on one database, as two processes have them. `database` makes an unused database. */
export function sharedStoreContract(name: string, database: () => Promise<OpenStore>): void {
  describe(name, () => sharedTests(database))
}
