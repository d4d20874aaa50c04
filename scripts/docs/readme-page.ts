import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withBlock } from './blocks.ts'
import { measuredBlock } from './measured-block.ts'
import { priceBlock } from './price-block.ts'
import { type CompactedExample, sessionBlock } from './session-block.ts'

const README = join(import.meta.dirname, '..', '..', 'README.md')

/** README with its numbers and its session made anew; all else on the page is written by hand. */
export function readmePage(example: CompactedExample): string {
  const blocks = { session: sessionBlock(example), price: priceBlock(), measured: measuredBlock() }
  return Object.entries(blocks).reduce(
    (page, [name, text]) => withBlock(page, name, text),
    readFileSync(README, 'utf8'),
  )
}
