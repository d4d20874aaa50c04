import { pageWithBlocks } from './blocks.ts'
import { memoryBlock } from './eval-block.ts'
import { numbersBlock } from './numbers-block.ts'
import { type CompactedExample, sessionBlock } from './session-block.ts'

/** README.md: what the program does to its session, what is left after three compactions, and five numbers of the committed results. */
export function readmePage(example: CompactedExample): string {
  return pageWithBlocks('README.md', {
    session: sessionBlock(example),
    memory: memoryBlock(),
    numbers: numbersBlock(),
  })
}
