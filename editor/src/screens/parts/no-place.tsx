import { useEditor } from '../../data/editor.ts'
import { t } from '../../words/words.ts'
import { ScreenTitle } from './screen-title.tsx'

/** For addresses at which there is nothing for this caller. */
export function NoPlace() {
  const { link } = useEditor()
  return (
    <>
      <ScreenTitle title={t.frame.notFound} />
      <a href={link('/')}>{t.frame.toHome}</a>
    </>
  )
}
