import type { ComponentChildren } from 'preact'
import { type GlossaryWord, glossaryText } from '../../src/engine/report/glossary.ts'

/** Everyday words for a word of Pith. The tooltip explains it; the help has the same for everybody who cannot hover. */
export function Term({ of, children }: { of: GlossaryWord; children: ComponentChildren }) {
  return (
    <span class="term" title={glossaryText(of)}>
      {children}
    </span>
  )
}
