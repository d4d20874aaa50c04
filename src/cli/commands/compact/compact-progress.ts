import type { CompactEvent } from '../../../engine/compact/compact.ts'
import { count } from '../../../engine/report/numbers.ts'
import { fitted } from '../../output/screen.ts'
import { price } from '../../output/value-texts.ts'

/** Shows how a compaction goes, on one line of the terminal that is gone when it is over; elsewhere nothing. */
export class CompactProgress {
  readonly #out = process.stderr
  #shown = false
  #about = ''

  readonly onEvent = (event: CompactEvent): void => {
    if (!this.#out.isTTY) return
    switch (event.type) {
      case 'start': {
        const cost = event.estimatedCost === undefined ? '' : `, at most ${price(event.estimatedCost)}`
        this.#about = `${event.messages} messages of ${count(event.tokens)} tokens${cost}`
        return this.#show('Compacting')
      }
      case 'rung':
        return this.#show(`${RUNGS[event.rung]}${event.model === undefined ? '' : ` by ${event.model}`}`)
      case 'chunk':
        return this.#show(`part ${event.chunk} of ${event.of}`)
      case 'retry':
        return this.#show(`trying again in ${Math.ceil(event.inMs / 1_000)} s: ${event.reason}`)
      case 'refused':
        return this.#show(`refused: ${event.reason}`)
      case 'done':
        return
    }
  }

  end(): void {
    if (this.#shown) this.#out.write('\r\x1b[K')
    this.#shown = false
  }

  #show(what: string): void {
    this.#out.write(`\r\x1b[K${fitted(`⚡ ${what} · ${this.#about}`, (this.#out.columns ?? 80) - 1)}`)
    this.#shown = true
  }
}

const RUNGS = {
  mask: 'Masking old tool output',
  warm: 'Summary',
  cold: 'Summary',
  digest: 'Digest',
  squeeze: 'Shortening what is too large',
} as const
