import { pageWithBlocks } from './blocks.ts'
import { measuredBlock } from './measured-block.ts'
import { priceBlock } from './price-block.ts'
import { type CompactedExample, sessionBlock } from './session-block.ts'

/** README.md: what the program does to its session, what it costs, and the numbers of the committed results. */
export function readmePage(example: CompactedExample): string {
  const blocks = { session: sessionBlock(example), price: priceBlock(), measured: measuredBlock() }
  return pageWithBlocks('README.md', blocks)
}
