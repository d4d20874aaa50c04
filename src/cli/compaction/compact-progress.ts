import { count, counted, dollars } from '../../engine/report/numbers.ts'
import { chunkText, retryText, rungText } from '../../engine/report/progress-text.ts'
import type { CompactEvent } from '../../model/compact-result.ts'
import { showProgress } from '../output/show.ts'
import { fitted } from '../output/terminal-text.ts'

/** Shows the progress of a compaction on one line of the terminal, and clears it at the end. */
export class CompactProgress {
  #about = ''

  readonly onEvent = (event: CompactEvent): void => {
    switch (event.type) {
      case 'start': {
        const cost = event.estimatedCost === undefined ? '' : `, at most ${dollars(event.estimatedCost)}`
        this.#about = `${counted(event.messages, 'message')} of ${count(event.tokens)} tokens${cost}`
        return this.#show('')
      }
      case 'rung':
        return this.#show(rungText(event.rung, event.model))
      case 'chunk':
        return this.#show(chunkText(event.chunk, event.of))
      case 'retry':
        return this.#show(retryText(event))
      case 'refused':
        return this.#show(`refused: ${event.reason}`)
      case 'text':
      case 'done':
        return
    }
  }

  end(): void {
    showProgress('')
  }

  #show(step: string): void {
    const line = ['⚡ Compacting…', step, this.#about].filter((text) => text !== '').join(' · ')
    showProgress(fitted(line, (process.stderr.columns ?? 80) - 1))
  }
}
