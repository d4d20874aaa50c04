import { pageWithBlocks } from './blocks.ts'
import { numbersBlock } from './numbers-block.ts'
import { type CompactedExample, sessionBlock } from './session-block.ts'

/** README.md: what the program does to its session, and five numbers of the committed results. */
export function readmePage(example: CompactedExample): string {
  return pageWithBlocks('README.md', { session: sessionBlock(example), numbers: numbersBlock() })
}
