import type { SettingForm } from './setting-form.ts'

/** A file that is ours from the first to the last character. */
export function ownFile(content: string): SettingForm {
  return {
    standing: (text) => (text === '' ? 'off' : text === content ? 'on' : 'outdated'),
    insertion: () => ({ at: 0, text: content, containers: 0 }),
    without: () => '',
    value: (text) => text,
  }
}
