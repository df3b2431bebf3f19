' What tests/lib/office.py asks of LibreOffice: a workbook is opened, values are typed in,
' and sheets are written as they show themselves then. A line of the file KSTAR_TEST_TASKS is a
' task:
'
'     open | PATH
'     type | SHEET | CELL | number or text | VALUE     without VALUE: the cell is emptied
'     show | PATH | SHEET | …                          those of them that the workbook has; all without
'                                                      SHEET
'     close
'
' Where | stands, a tab stands there. What goes wrong is in the file KSTAR_TEST_TASKS with .failed.

Sub Main
    Dim line As String
    Dim hidden(0) As New com.sun.star.beans.PropertyValue
    hidden(0).Name = "Hidden"
    hidden(0).Value = True
    On Error Goto Failed
    Open Environ("KSTAR_TEST_TASKS") For Input As #1
    Do While Not EOF(1)
        Line Input #1, line
        words = Split(line, Chr(9))
        Select Case words(0)
        Case "open"
            book = StarDesktop.loadComponentFromURL(ConvertToURL(words(1)), "_blank", 0, hidden())
        Case "type"
            TypeIn book.Sheets.getByName(words(1)).getCellRangeByName(words(2)).getCellByPosition(0, 0), words
        Case "show"
            book.calculateAll()
            Show book, words
        Case "close"
            book.close(True)
        End Select
    Loop
    Close #1
    StarDesktop.terminate()
    Exit Sub
Failed:
    Open Environ("KSTAR_TEST_TASKS") & ".failed" For Output As #2
    Print #2, Error & ", line " & Erl & ": " & line
    Close #2
    StarDesktop.terminate()
End Sub

Sub TypeIn(cell, words)
    If UBound(words) < 4 Then
        cell.clearContents(7) ' numbers, dates, texts
    ElseIf words(3) = "number" Then
        cell.Value = Val(words(4))
    Else
        cell.String = words(4)
    End If
End Sub

' Of each sheet a line with its name and how many rows follow. A row has its cells between tabs: a
' number, a text after ', or nothing. In a text \, tab and line feed are written as \\, \t and \n.
Sub Show(book, words)
    files = CreateUnoService("com.sun.star.ucb.SimpleFileAccess")
    out = CreateUnoService("com.sun.star.io.TextOutputStream")
    out.setOutputStream(files.openFileWrite(ConvertToURL(words(1))))
    out.setEncoding("UTF-8")
    If UBound(words) < 2 Then
        For at = 0 To book.Sheets.Count - 1
            ShowSheet book.Sheets.getByIndex(at), out
        Next at
    End If
    For at = 2 To UBound(words)
        If book.Sheets.hasByName(words(at)) Then ShowSheet book.Sheets.getByName(words(at)), out
    Next at
    out.closeOutput()
End Sub

Sub ShowSheet(sheet, out)
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    place = cursor.RangeAddress
    rows = sheet.getCellRangeByPosition(0, 0, place.EndColumn, place.EndRow).getDataArray()
    ReDim lines(UBound(rows)) As String
    For row = 0 To UBound(rows)
        cells = rows(row)
        ReDim texts(UBound(cells)) As String
        For column = 0 To UBound(cells)
            Select Case VarType(cells(column))
            Case 5
                texts(column) = Str(cells(column))
            Case 8
                If cells(column) <> "" Then texts(column) = "'" & Escaped(cells(column))
            Case Else ' an error
                texts(column) = "'#error"
            End Select
        Next column
        lines(row) = Join(texts, Chr(9))
    Next row
    out.writeString(sheet.Name & Chr(9) & (UBound(rows) + 1) & Chr(10) & Join(lines, Chr(10)) & Chr(10))
End Sub

Function Escaped(text)
    Escaped = text
    If InStr(text, "\") > 0 Then Escaped = Replace(Escaped, "\", "\\")
    If InStr(text, Chr(9)) > 0 Then Escaped = Replace(Escaped, Chr(9), "\t")
    If InStr(text, Chr(10)) > 0 Then Escaped = Replace(Escaped, Chr(10), "\n")
End Function
