import type { CompactionBlock } from '../blocks.ts'
import { counted, dollars } from '../numbers.ts'
import { indented, type Look, wrapped } from './block-lines.ts'
import { renderMarkdown } from './markdown.ts'

/** What a compaction came to, and its summary when it is unfolded. */
export function compactionLines(block: CompactionBlock, { width, theme, unfolded }: Look): string[] {
  const { messages, tokensBefore, tokensAfter, summary, flagged = [] } = block
  const facts = [block.how, ...(block.cost === undefined ? [] : [dollars(block.cost)]), ...fold(block, unfolded)]
  const lines = [
    theme.paint('Context compacted.', 'muted'),
    theme.paint(`✓ Compacted ${counted(messages, 'message')}`, 'success'),
    `  Tokens: ${tokensBefore} → ${tokensAfter} (saved ${tokensBefore - tokensAfter})`,
    ...wrapped(`  ${facts.join(' · ')}`, width - 2).map((line) => theme.paint(line, 'muted')),
    ...(flagged.length === 0 ? [] : wrapped(`  Not in the source: ${flagged.join(', ')}`, width - 2)),
  ]
  if (!unfolded || summary === '') return indented(lines)
  const text = renderMarkdown(summary, width - 4, theme).map((line) => `${theme.paint('│', 'muted')} ${line}`)
  return indented([...lines, ...text])
}

function fold({ summary }: CompactionBlock, unfolded: boolean): string[] {
  if (summary === '') return []
  return [unfolded ? 'Ctrl+O folds the summary' : 'Ctrl+O shows the summary']
}
