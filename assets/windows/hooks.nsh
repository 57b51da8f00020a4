; What the installer does besides what Tauri's template does: .db and .csv belong to other programs,
; so Tidemark is only named under "Open with", and stays out of what a double click does.
!macro TidemarkOffer EXT
  WriteRegNone SHCTX "Software\Classes\${EXT}\OpenWithProgids" "Tidemark.Recording"
!macroend

!macro TidemarkTakeBack EXT
  DeleteRegValue SHCTX "Software\Classes\${EXT}\OpenWithProgids" "Tidemark.Recording"
!macroend

!macro NSIS_HOOK_POSTINSTALL
  WriteRegStr SHCTX "Software\Classes\Tidemark.Recording" "" "Memory recording"
  WriteRegStr SHCTX "Software\Classes\Tidemark.Recording\DefaultIcon" "" "$INSTDIR\tidemark-app.exe,0"
  WriteRegStr SHCTX "Software\Classes\Tidemark.Recording\shell\open\command" "" '"$INSTDIR\tidemark-app.exe" "%1"'
  !insertmacro TidemarkOffer ".db"
  !insertmacro TidemarkOffer ".csv"
  !insertmacro TidemarkOffer ".gz"
!macroend

!macro NSIS_HOOK_PREUNINSTALL
  !insertmacro TidemarkTakeBack ".db"
  !insertmacro TidemarkTakeBack ".csv"
  !insertmacro TidemarkTakeBack ".gz"
  DeleteRegKey SHCTX "Software\Classes\Tidemark.Recording"
!macroend
