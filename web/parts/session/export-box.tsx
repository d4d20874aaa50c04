import { useState } from 'preact/hooks'
import { useApp } from '../../hooks/app-context.ts'

/** The formats of an export: name, title, and ending of the file. */
const FORMATS = [
  ['pith', 'Pith, the whole log', 'jsonl'],
  ['claude-code', 'Claude Code', 'jsonl'],
  ['codex', 'Codex', 'jsonl'],
  ['pi', 'pi', 'jsonl'],
  ['markdown', 'Markdown', 'md'],
  ['ai-sdk', 'AI SDK messages', 'json'],
  ['openai-chat', 'OpenAI chat', 'json'],
  ['openai-responses', 'OpenAI Responses', 'json'],
  ['anthropic', 'Anthropic messages', 'json'],
] as const

/** Saves the session as a file in a format of the user's choice. */
export function ExportBox({ id }: { id: string }) {
  const { client, notify } = useApp()
  const [format, setFormat] = useState('pith')
  const save = async () => {
    const file = await client.file(`/v1/sessions/${id}/export?format=${format}`)
    if (!file.ok) return notify(file.message, 'error')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file.value)
    link.download = `${id.slice(0, 8)}-${format}.${FORMATS.find(([name]) => name === format)?.[2] ?? 'txt'}`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <section class="group">
      <h3>Export</h3>
      <div class="actions">
        <select aria-label="Export format" value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
          {FORMATS.map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        <button type="button" onClick={() => void save()}>
          Save
        </button>
      </div>
    </section>
  )
}
