/**
 * Answers the requests of `pith eval readers` in one folder with a model. Use another model or another person for each folder.
 * MODEL_URL=http://localhost:11434/v1 MODEL=qwen3 node answer-folder.ts kit/seat-01
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chat } from './chat.ts'

const folder = process.argv[2] ?? '.'
for (const file of readdirSync(folder).filter((one) => one.endsWith('.request.json'))) {
  const answer = join(folder, file.replace('.request.json', '.answer.txt'))
  if (existsSync(answer)) continue
  const { system, prompt } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
  ]
  writeFileSync(answer, (await chat(messages)).text)
}
