import { Channel, invoke } from '@tauri-apps/api/core';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { open as openDialog } from '@tauri-apps/plugin-dialog';
import type * as wire from './types';
import type { Drop, Engine, Source } from './engine';
import { known, type ProgressNow } from './known';
import { decodeScene } from './scene';

/** The program itself, through Tauri's commands. */
export const tauriEngine: Engine = {
  open: async (request, source, progress) => known(await openSource(request, source, progress)),
  cancel: (request) => invoke('cancel', { request }),
  close: (session) => invoke('close', { session }),
  scene: async (question) => decodeScene(await invoke<ArrayBuffer>('scene', { question })),
  annotations: async (question) =>
    known(await invoke<wire.Annotations>('annotations', { question })),
  block: async (session, device, block) =>
    known(await invoke<wire.BlockDetails>('block', { session, device, block })),
  startup: async () => (await invoke<{ path: string | null }>('startup')).path ?? undefined,
  chooseFile: async (title) =>
    (await openDialog({ title, multiple: false, directory: false })) ?? undefined,
  onDrop: (listener) =>
    getCurrentWebview().onDragDropEvent(({ payload }) => {
      listener(dropOf(payload));
    }),
};

function openSource(
  request: number,
  source: Source,
  listener: (now: ProgressNow) => void,
): Promise<wire.Opened> {
  const progress = new Channel<wire.ProgressNow>();
  progress.onmessage = listener;
  return source.kind === 'file'
    ? invoke('open', { request, path: source.path, progress })
    : invoke('open_sample', { request, progress });
}

function dropOf(payload: { readonly type: string; readonly paths?: readonly string[] }): Drop {
  switch (payload.type) {
    case 'enter':
    case 'over':
      return { kind: 'over' };
    case 'drop':
      return { kind: 'dropped', paths: payload.paths ?? [] };
    default:
      return { kind: 'gone' };
  }
}
