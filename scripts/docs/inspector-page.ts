import { GLOSSARY } from '../../src/engine/report/glossary.ts'
import { pageWithBlocks } from './blocks.ts'
import { table } from './markdown.ts'

/** docs/inspector.md: the words that the web inspector explains in its tooltips. */
export function inspectorPage(): string {
  return pageWithBlocks('docs/inspector.md', {
    words: table(
      ['word', 'meaning'],
      Object.entries(GLOSSARY).map(([word, meaning]) => [`**${word}**`, meaning]),
    ),
  })
}
