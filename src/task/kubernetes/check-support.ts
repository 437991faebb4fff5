import { on } from '../../plan/fragment.ts';
import { refuseUnsupported, type Unsupported } from '../../step/kubernetes/refuse.ts';
import { defineTask } from '../task.ts';

export const checkSupport = defineTask<Unsupported>({
  name: 'check-support',
  title: 'See whether all that the file asks for can be installed',
  plan: ({ local }, unsupported) => on(local, refuseUnsupported(unsupported)),
});
