import { agents } from './en/agents.ts'
import { blocks } from './en/blocks.ts'
import { controls } from './en/controls.ts'
import { crop } from './en/crop.ts'
import { document } from './en/document.ts'
import { form } from './en/form.ts'
import { frame } from './en/frame.ts'
import { activity, changes, history, marks } from './en/history.ts'
import { home } from './en/home.ts'
import { list } from './en/list.ts'
import { locales } from './en/locales.ts'
import { media } from './en/media.ts'
import { page } from './en/page.ts'
import { tree } from './en/pages.ts'
import { problems } from './en/problems.ts'
import { proposals } from './en/proposals.ts'
import { publishing } from './en/publishing.ts'
import { related } from './en/related.ts'
import { roles } from './en/roles.ts'
import { schedules } from './en/schedules.ts'
import { signIn } from './en/sign-in.ts'
import { states } from './en/states.ts'
import { styles } from './en/styles.ts'
import { translation } from './en/translation.ts'
import { upload } from './en/upload.ts'
import { uses } from './en/uses.ts'
import { richTextEnglish } from './rich-text-en.ts'

/** All words of the interface, in English: sentences are functions of what they speak of. */
export const en = {
  activity,
  agents,
  blocks,
  changes,
  controls,
  crop,
  document,
  form,
  frame,
  history,
  home,
  list,
  locales,
  marks,
  media,
  page,
  problems,
  proposals,
  publishing,
  related,
  roles,
  schedules,
  signIn,
  states,
  styles,
  tree,
  translation,
  upload,
  uses,
  richText: richTextEnglish,
}
