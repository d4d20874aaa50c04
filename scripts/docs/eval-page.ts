import { pageWithBlocks } from './blocks.ts'
import { peersBlock, ranksBlock } from './eval-block.ts'

/** docs/eval.md: where made-up and recorded sessions disagree. */
export function evalPage(): string {
  return pageWithBlocks('docs/eval.md', { ranks: ranksBlock() })
}

/** docs/comparison.md: the peers that ask no model, measured with `pith eval`. */
export function comparisonPage(): string {
  return pageWithBlocks('docs/comparison.md', { measured: peersBlock() })
}
