import { SHORTCUTS } from '../state/keys.ts'
import { Modal } from './modal.tsx'

/** The keys that work, by place. */
export function Help({ onClose, version }: { onClose: () => void; version: string }) {
  const places = [...new Set(SHORTCUTS.map((shortcut) => shortcut.where))]
  return (
    <Modal title="Keyboard" class="help" onClose={onClose}>
      <div class="help-places">
        {places.map((place) => (
          <section key={place}>
            <h3>{place}</h3>
            <dl class="keys">
              {SHORTCUTS.filter((shortcut) => shortcut.where === place).map(({ keys, does }) => (
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
