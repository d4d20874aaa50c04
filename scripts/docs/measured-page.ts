import { pageWithBlocks } from './blocks.ts'
import { measuredBlock } from './measured-block.ts'
import { priceBlock } from './price-block.ts'

/** docs/measured.md: the numbers of the committed results, and what Pith costs. */
export function measuredPage(): string {
  return pageWithBlocks('docs/measured.md', { price: priceBlock(), measured: measuredBlock() })
}
