import { PAGE_SHORTCUTS } from '../hooks/use-keys.ts'
import { Modal } from './modal.tsx'

/** The keyboard shortcuts, grouped by where they work. */
export function Help({ onClose, version }: { onClose: () => void; version: string }) {
  const places = [...new Set(PAGE_SHORTCUTS.map((shortcut) => shortcut.where))]
  return (
    <Modal title="Keyboard" class="help" onClose={onClose}>
      <div class="help-places">
        {places.map((place) => (
          <section key={place}>
            <h3>{place}</h3>
            <dl class="keys">
              {PAGE_SHORTCUTS.filter((shortcut) => shortcut.where === place).map(({ keys, does }) => (
                <div key={keys}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="soft small">Pith {version}</p>
    </Modal>
  )
}
